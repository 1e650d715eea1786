// VitePress's own theme without its fonts, and the examples that run.
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import RunnableExample from './RunnableExample.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('RunnableExample', RunnableExample);
  },
} satisfies Theme;
