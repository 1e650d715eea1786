import { answers } from '../../../program.mjs';

export const dynamic = 'force-dynamic';
export const GET = () => new Response(answers());
