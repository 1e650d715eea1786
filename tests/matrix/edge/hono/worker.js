import { Hono } from 'hono';

import { answers } from '../../program.mjs';

export default new Hono().get('/', (context) => context.text(answers()));
