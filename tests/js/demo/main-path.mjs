// The main path of a visitor, walked from inside a browser that has no driver: the page stands in a frame of the same
// origin, and this presses what a visitor presses. `npm run test:firefox` runs it.
// Invariant: each step gives a name and whether it was so; a step that throws or takes too long is one that was not.

/* global Event, KeyboardEvent -- in a page */
const PATIENCE_MS = 500_000; // Only what hangs takes as long.

/** Walks through the page in `frame`, and gives `[name, isSo]` for each step. */
export async function walk(frame) {
  const steps = [
    ['a key goes in', insert],
    ['a kick is reached step by step, and every step back shows what was there', kick],
    ['a link opens the same step again', link],
    ['a question is answered, and compared with the trace', question],
    ['the page turns Chinese', chinese],
    ['131,072 slots fill', fill],
  ];
  const done = [];
  // Until then the frame holds an empty page of its own.
  await until(() => frame.contentDocument?.querySelector('main')).catch(() => undefined);
  for (const [name, step] of steps) {
    try {
      done.push([name, await step(frame)]);
    } catch (error) {
      done.push([`${name}: ${error}`, false]);
    }
  }
  return done;
}

async function insert(frame) {
  await open(frame, 'start');
  const field = await found(frame, 'input[name=key]'); // The table comes after the opening.
  field.value = 'okapi';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await drawn();
  one(frame, '.key-form .is-primary').click();
  await press(frame, 'End');
  return caption(frame).includes('“okapi” is in');
}

async function kick(frame) {
  one(frame, '.guide-step.is-kick').click();
  // To the end of this operation, and from there to its own start.
  await press(frame, 'End');
  await press(frame, 'Home');
  const pictures = [picture(frame)];
  while (!caption(frame).startsWith('Kick 1') && pictures.length < 60) {
    await press(frame, '.');
    pictures.push(picture(frame));
  }
  const last = pictures.length - 1;
  for (let i = last; i > 0; --i) {
    if (picture(frame) !== pictures[i]) return false;
    await press(frame, ',');
  }
  await press(frame, '.');
  return last > 1 && picture(frame) === pictures[1];
}

async function link(frame) {
  const before = [picture(frame), caption(frame)].join();
  one(frame, '.tools').open = true;
  one(frame, '.share .is-primary').click();
  const { hash } = frame.contentWindow.location;
  await open(frame, 'lab');
  frame.contentWindow.location.hash = hash;
  await found(frame, 'main[data-place=start] .picture');
  await found(frame, '.caption-text'); // It comes after the picture.
  await until(() => [picture(frame), caption(frame)].join() === before);
  return true;
}

async function question(frame) {
  await open(frame, 'kick');
  one(frame, '.option input[value="4"]').click();
  await drawn();
  one(frame, '.ask-actions .is-primary').click();
  await drawn();
  one(frame, '.ask > .button').click();
  return (await found(frame, '.verdict')).textContent.includes('Right');
}

async function chinese(frame) {
  one(frame, '.bar-tool[lang^=zh]').click();
  await until(() => one(frame, 'h1').textContent === '踢出链');
  one(frame, '.bar-tool[lang=en]').click();
  await until(() => one(frame, 'h1').textContent === 'The kick path');
  return true;
}

async function fill(frame) {
  await open(frame, 'lab');
  one(frame, '.measure .run-bar button').click();
  await until(() => one(frame, '.measure .run-summary').textContent.includes('refused a key at 9'));
  return true;
}

async function open(frame, place) {
  frame.contentWindow.location.hash = `#v=1&s=${place}&l=en`;
  await found(frame, `main[data-place=${place}] h1`);
  await until(() => frame.contentDocument.querySelector('.is-loading') === null);
  await drawn();
}

function one(frame, selector) {
  const element = frame.contentDocument.querySelector(selector);
  if (element === null) throw new Error(`nothing is ${selector}`);
  return element;
}

async function found(frame, selector) {
  await until(() => frame.contentDocument?.querySelector(selector));
  return one(frame, selector);
}

async function press(frame, key) {
  await drawn();
  frame.contentDocument.activeElement?.blur();
  frame.contentDocument.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  await drawn();
  // A chip in the air is on its way from one step to the next.
  await until(() => frame.contentDocument.querySelector('.flights') === null);
}

function picture(frame) {
  return one(frame, '.stage .picture').outerHTML.replace(/ tabindex="-?\d"/g, '');
}

function caption(frame) {
  return one(frame, '.caption-text').textContent;
}

/** A page without a window draws no frames, so time decides. */
function drawn() {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

async function until(holds) {
  const end = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${holds}`);
    await drawn();
  }
}
