import { createFileRoute } from '@tanstack/react-router';

import { answers } from '../../../../program.mjs';

export const Route = createFileRoute('/')({ component: () => <p>{answers()}</p> });
