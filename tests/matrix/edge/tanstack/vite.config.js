import { cloudflare } from '@cloudflare/vite-plugin';
import { tanstackStart } from '@tanstack/react-start/plugin/vite';

export default { plugins: [cloudflare({ viteEnvironment: { name: 'ssr' } }), tanstackStart()] };
