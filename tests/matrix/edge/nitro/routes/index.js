import { answers } from '../../../program.mjs';

export default () => answers();
