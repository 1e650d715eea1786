import { AngularAppEngine, createRequestHandler } from '@angular/ssr';

const engine = new AngularAppEngine({ allowedHosts: ['localhost', '127.0.0.1'] });
export const reqHandler = createRequestHandler(
  async (request) => (await engine.handle(request)) ?? new Response('none', { status: 404 }),
);
