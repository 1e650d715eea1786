// Where the visitor is: the place, the lesson of a scene, and the store behind both.
// Invariant: a place is opened from a link alone, so that a reload, a shared link and a press in the navigation do the
// same. Components read the signals, and change them by the methods.
import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Operation } from '../model/trace/state';
import { birds, languageNow, loadWords, textOfValue } from '../i18n';
import { Kept, type Values } from './kept';
import { canGuess, nearOf, newLesson, verdictOf, type Lesson } from '../model/lesson';
import { formatLink, HOME, type Link } from '../model/link';
import { isPresented, isScene, type PlaceId, type SceneId } from '../model/places';
import { FIRST_CHINESE } from '../model/samples';
import { slotOf, type Facts, type Pair, type Task, type Value } from '../model/scenes/task';
import { canStepForward, type Session } from '../model/trace/session';
import { CHINESE_DEFAULTS, DEFAULTS, type Settings } from '../model/settings';
import { later, whenThere } from '../browser/later';
import { Store } from './store';

export class Page {
  readonly store: Store;
  readonly #now = {
    link: signal(HOME),
    lesson: signal<Lesson | null>(null),
    task: signal<Task | null>(null),
    visit: signal(0),
    kept: signal(new Kept()),
  };
  readonly link: ReadonlySignal<Link> = this.#now.link;
  readonly lesson: ReadonlySignal<Lesson | null> = this.#now.lesson;
  /** Of the lesson; null where the scene measures. */
  readonly task: ReadonlySignal<Task | null> = this.#now.task;
  /** Counts the links opened: another visit begins with the link's values. */
  readonly visit: ReadonlySignal<number> = this.#now.visit;
  /** What was set on boards and measurements since the place was opened. */
  readonly kept: ReadonlySignal<Kept> = this.#now.kept;
  /** A name and its double, found on the start page or given by a link. The scene that deletes uses them. */
  readonly pair: Signal<Pair | null> = signal(null);
  /** Whether the table is drawn as its graph. */
  readonly showsGraph = signal(false);
  /** What is chosen as the answer, and not locked in yet. */
  readonly guess: Signal<Value | null> = signal(null);
  readonly result = computed(() => this.#result());
  /** Whether the table is the visitor's own: once both questions are answered, or without any. */
  readonly isOwn = computed(() => {
    const lesson = this.lesson.value;
    return lesson === null || lesson.phase === 'free' || (lesson.part === 1 && lesson.phase === 'compare');
  });

  #tasks: Tasks | null = null;

  constructor() {
    this.store = new Store(this.defaults());
    effect(() => {
      const lesson = this.lesson.value;
      if (lesson?.phase !== 'run' || this.task.value === null) return undefined;
      if (canStepForward(this.store.session.value)) return undefined;
      // After the last step is drawn: both at once would hold the page up on a slow device.
      return later(() => (this.#now.lesson.value = { ...lesson, phase: 'compare' }));
    });
  }

  /** The first table, of birds that the reader knows by name. */
  defaults(): Settings {
    return languageNow() === 'zh' ? CHINESE_DEFAULTS : DEFAULTS;
  }

  /** A table that nobody has touched is made anew, of birds in the page's language. */
  translate(): void {
    const { settings, timeline } = this.store.session.value;
    const link = this.link.value;
    const { place, round } = link;
    // So that a reload keeps the language chosen after the link was opened.
    if (link.language !== null) this.#now.link.value = { ...link, language: languageNow() };
    const isOwn = settings.seed !== DEFAULTS.seed && settings.seed !== CHINESE_DEFAULTS.seed;
    const lesson = this.lesson.value;
    if (isScene(place) && lesson?.phase === 'predict') this.begin(place, lesson.part, round);
    else if (place === 'names' || place === 'be' || place === 'teach')
      this.open({ ...this.link.value, kept: {} });
    else if (lesson === null && timeline.operations.length === 0 && !isOwn)
      this.store.rebuild({ ...settings, seed: this.defaults().seed });
  }

  /** Loads what a link needs that was not loaded yet; to be awaited before `open`. */
  async load({ place }: Link): Promise<void> {
    if (place === 'start') return;
    const [tasks] = await Promise.all([whenThere(import('../model/scenes')), loadWords()]);
    this.#tasks = tasks;
  }

  /** Opens a place, for which everything is loaded. Throws RangeError if the core refuses the link's table. */
  open(link: Link): void {
    this.#now.kept.value = new Kept(link.kept);
    const { one, other } = link.kept;
    this.pair.value = one && other ? { one: String(one), other: String(other) } : null;
    this.#now.visit.value += 1;
    this.#now.link.value = link;
    this.showsGraph.value = link.kept['graph'] === 1;
    const showsNames = (link.kept['names'] ?? Number(NAMED.includes(link.place))) === 1;
    this.store.show({ presents: !link.hasChrome, showsNames, isPlain: link.place === 'start' });
    const { place: scene, round, settings } = link;
    if (isScene(scene)) {
      if (link.lesson !== null && this.#resume(scene, link, link.lesson)) return;
      if (settings === null) return this.#ask(scene, 0, round);
    }
    this.#now.task.value = null;
    this.#now.lesson.value = isScene(scene) ? { ...newLesson(scene, 0, round), phase: 'free' } : null;
    this.store.show({ isLocked: false, asksHome: false });
    this.store.rebuild(settings ?? this.defaults(), link.operations, link.cursor);
  }

  /** Goes on with a question where the link was made. False if its table is not the one of the question. */
  #resume(scene: SceneId, link: Link, { part, phase, guess }: NonNullable<Link['lesson']>): boolean {
    this.#ask(scene, part, link.round, link.settings);
    if (phase === 'predict') return true;
    const task = this.task.value;
    const question = task?.question ?? this.#tasks?.measureOf(scene, part) ?? null;
    const isOfTask =
      task === null ||
      (link.settings === null && phase === 'run') ||
      isSameTable(task, { settings: link.settings, run: link.operations.slice(0, task.run.length) });
    if (question === null || !isOfTask) return false;
    this.store.show({ isLocked: false });
    const answered = guess !== null && canGuess(question, guess) ? guess : null;
    const lesson: Lesson = {
      ...newLesson(scene, part, link.round),
      phase: 'run',
      guess: answered,
      isReplayed: phase === 'compare',
    };
    if (link.settings !== null) {
      const own = link.operations.slice(task?.run.length ?? 0);
      this.store.rebuild(link.settings, [...(task?.run ?? []), ...own], link.cursor);
    } else if (task !== null) this.store.send({ type: 'stand', cursor: Infinity });
    // A measurement is made again; what was compared with a trace is there at once.
    this.#now.lesson.value = task !== null && phase === 'compare' ? { ...lesson, phase } : lesson;
    return true;
  }

  /** Asks a scene's question of a round; a name and its double are asked about in theirs alone. */
  begin(scene: SceneId, part: 0 | 1, round: number): void {
    this.#now.kept.value = new Kept();
    if (round !== this.lesson.value?.round) this.pair.value = null;
    this.#ask(scene, part, round);
  }

  /** A link to a stop of the course or talk; if `isBack`, to its last answer. In a talk, it carries the name and its double. */
  stopAt(place: PlaceId, presents: boolean, isBack = false): string {
    const { course, isEmbedded } = this.link.value;
    const pair = course > 0 ? this.pair.value : null;
    // The start and the end have a field for the name.
    const kept: Values = pair === null ? {} : { name: pair.one, ...pair };
    const look = presents && { isEmbedded, hasChrome: !isPresented(place) };
    const lesson = isBack && isScene(place) ? ({ part: 1, phase: 'run', guess: null } as const) : null;
    return `#${formatLink({ ...HOME, course, ...look, place, kept, lesson })}`;
  }

  /** `settings`: those of a table of the same question, whose language is kept. */
  #ask(scene: SceneId, part: 0 | 1, round: number, settings: Settings | null = null): void {
    const seed =
      settings === null ? birds(round) : settings.seed < FIRST_CHINESE ? round : round + FIRST_CHINESE;
    const task = this.#tasks?.taskOf(scene, part, seed, this.pair.value) ?? null;
    this.guess.value = null;
    this.#now.lesson.value = newLesson(scene, part, round);
    this.#now.task.value = task;
    this.store.show({
      isLocked: task !== null,
      asksHome: task?.question.kind === 'bucket',
      asked: slotOf(task?.facts ?? {}),
    });
    this.store.rebuild(task?.settings ?? this.defaults(), task?.run ?? [], 0);
    if (this.start > 0) this.store.send({ type: 'stand', cursor: this.start });
  }

  /** The cursor at which the question stands; 0 where none is asked. */
  get start(): number {
    const asked = this.store.session.value.timeline.operations[this.task.value?.begun ?? -1];
    // The first two steps work out the homes, which the question tells too.
    return asked === undefined ? 0 : asked.first + 2;
  }

  predict(guess: Value | null): void {
    if (this.lesson.value?.phase !== 'predict') return;
    this.release(guess);
    if (this.task.value !== null) this.store.send({ type: 'playOrPause' });
  }

  /** Lets the operations of a question be played with a guess or without. */
  release(guess: Value | null = null): void {
    if (this.lesson.value?.phase !== 'predict') return;
    this.store.show({ isLocked: false });
    this.#now.lesson.value = { ...this.lesson.value, phase: 'run', guess };
  }

  /** Shows the answer at once, unless it must be measured first. A question without a guess counts as skipped. */
  finish(): void {
    this.release();
    if (this.task.value !== null) this.store.send({ type: 'stand', cursor: Infinity });
  }

  measured(value: Value, tolerance: number): void {
    const lesson = this.lesson.value;
    if (lesson?.phase !== 'run' && lesson?.phase !== 'compare') return;
    this.#tolerance = tolerance;
    this.#now.lesson.value = { ...lesson, phase: 'compare', measured: value };
  }

  /** Leaves the question for a table of the visitor's own. Throws RangeError if the core refuses the settings. */
  rebuild(settings: Settings, operations: readonly Operation[] = []): void {
    this.store.rebuild(settings, operations, Infinity);
    const lesson = this.lesson.value;
    if (lesson === null) return;
    this.#now.task.value = null;
    this.#now.lesson.value = { ...lesson, phase: 'free' };
    this.store.show({ isLocked: false });
  }

  /** Puts a list of keys into a table of its own: 8 buckets, or 16 or 32 if that would be too full. */
  fill(keys: readonly string[]): void {
    const { settings } = this.store.session.value;
    const isRoomy = (count: number): boolean => keys.length <= LOADED * count * settings.bucketSize;
    const bucketCount = [8, 16].find(isRoomy) ?? 32;
    const inserts = keys.map((key) => ({ name: 'insert', key }) as const);
    this.rebuild({ ...settings, bucketCount, samplePercent: 0 }, inserts);
  }

  here(): Link {
    const { session } = this.store;
    const { settings, timeline, place } = session.value;
    const operations = timeline.operations.map(({ name, key }) => ({ name, key }));
    const { language, isEmbedded, course, place: here } = this.link.value;
    const hasChrome = !this.store.presents.value;
    const lesson = this.lesson.value;
    const isAsking = lesson?.phase === 'predict';
    const isUntouched = isAsking && lesson?.part === 0;
    const isOwnTable = !isAsking && (lesson === null || this.task.value !== null || operations.length > 0);
    return {
      ...HOME,
      ...{ language, isEmbedded, course, hasChrome, place: here },
      round: lesson?.round ?? this.link.value.round,
      lesson: lesson === null || lesson.phase === 'free' || isUntouched ? null : lesson,
      kept: { ...this.#keptNow(here), ...(here !== 'start' && this.pair.value) },
      ...((isOwnTable || lesson?.phase === 'free') && { settings, operations, cursor: place.cursor }),
    };
  }

  #keptNow(place: string): Values {
    const isDrawn = (name: string, value: boolean, usual: boolean): Values =>
      value === usual ? {} : { [name]: Number(value) };
    return {
      ...this.kept.value.values(),
      ...isDrawn('graph', this.showsGraph.value, false),
      ...isDrawn('names', this.store.showsNames.value, NAMED.includes(place)),
    };
  }

  #tolerance = 0;

  /** The result of a lesson, once it may be seen. */
  #result() {
    const lesson = this.lesson.value;
    if (lesson?.phase !== 'compare') return null;
    const task = this.task.value;
    const answer = task === null ? lesson.measured : task.answer(this.store.session.value);
    if (answer === null) return null;
    const { guess, scene } = lesson;
    const tolerance = task?.tolerance ?? this.#tolerance;
    const verdict = verdictOf(guess, answer, tolerance);
    /** If several numbers were guessed: how many of them are right or close. */
    const near = nearOf(guess, answer, tolerance);
    const missed = verdict === 'wrong' && guess !== null ? task?.missed?.(guess) : null;
    const facts = { ...factsOf(scene, task, this.store.session.value, answer), ...missed };
    return { answer, verdict, near, facts };
  }
}

export type Result = NonNullable<Page['result']['value']>;

/** The facts for the sentence about an answer, once the task has been played to its end. */
export function factsOf(scene: SceneId, task: Task | null, done: Session, answer: Value): Facts {
  const text = typeof answer === 'object' ? textOfValue(answer, scene) : answer;
  return { ...task?.facts, ...task?.found?.(done), answer: text };
}

/** Whether two tables have equal settings and the same operations, as a link tells them. */
function isSameTable(...tables: { settings: Settings | null; run: Link['operations'] }[]): boolean {
  const texts = tables.map(({ settings, run }) => formatLink({ ...HOME, settings, operations: run }));
  return new Set(texts).size === 1;
}

/** The load up to which a table takes every key. */
const LOADED = 0.85;

type Tasks = typeof import('../model/scenes');

/** Where the keys are shown from the start: these scenes are about whose a fingerprint was. */
const NAMED: readonly string[] = ['fail', 'delete'];
