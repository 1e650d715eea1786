import { answers } from '../../../program.mjs';

export default () => <p>{answers()}</p>;
