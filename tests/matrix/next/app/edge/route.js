import { answers } from '../../../program.mjs';

export const runtime = 'edge';
export const GET = () => new Response(answers());
