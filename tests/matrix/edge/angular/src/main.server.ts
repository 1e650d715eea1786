import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, withRoutes, RenderMode } from '@angular/ssr';
import { App } from './app';
export default (context: BootstrapContext) =>
  bootstrapApplication(
    App,
    { providers: [provideServerRendering(withRoutes([{ path: '**', renderMode: RenderMode.Server }]))] },
    context,
  );
