// Sample keys: short words in an order that a seed gives.
// Invariant: the same seed and index give the same key, and no two indexes of one seed give equal keys.
import { drawsOf } from './draws';

const WORDS = `
  wren robin heron swift finch raven eagle stork crane quail egret grebe pipit dunnock linnet
  osprey plover petrel kestrel magpie jackdaw lapwing avocet bittern curlew dipper falcon gannet
  hoopoe jay kite lark martin nuthatch oriole puffin rook shrike tern warbler swallow thrush teal
  merlin knot ibis godwit fulmar dove cuckoo coot chough buzzard brambling redstart sparrow
  starling wagtail whimbrel wigeon siskin skua snipe stint
`
  .trim()
  .split(/\s+/);

/** The sample key number `index`, from 0. */
export function sampleKey(seed: number, index: number): string {
  const round = Math.floor(index / WORDS.length);
  const word = shuffled(seed)[index % WORDS.length] ?? '';
  return round === 0 ? word : `${word}-${round + 1}`;
}

/** The words in the order of `seed`: Fisher and Yates' shuffle. */
function shuffled(seed: number): string[] {
  const words = [...WORDS];
  const draw = drawsOf(seed);
  for (let i = words.length - 1; i > 0; --i) {
    const j = Math.floor(draw() * (i + 1));
    [words[i], words[j]] = [words[j] ?? '', words[i] ?? ''];
  }
  return words;
}
