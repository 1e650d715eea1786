import { Component } from '@angular/core';

import { answers } from '../../../program.mjs';

@Component({ selector: 'app-root', template: '<p>{{ said }}</p>' })
export class App {
  said = answers();
}
