// The table as the cuckoo graph, with a list of its connected parts.
import { words } from '../../i18n';
import { hex } from '../../model/picture/bits';
import {
  arranged,
  edgesOf,
  hasRoom,
  nodeAt,
  partsOf,
  radiusIn,
  waysOf,
  type Sizes,
} from '../../model/picture/graph';
import { homeMark, kicksMade, operationShown } from '../../model/trace/marks';
import type { Store } from '../../app/store';
import { Chip, hueStyle } from './chip';
import { useWidth } from '../width';
import '../../styles/graph.css';

const SIZES: Sizes = { node: 19, half: 23, high: 24 };
/** Where there is little room. */
const SMALL: Sizes = { node: 13, half: 16, high: 18 };
const NARROW = 420;

export function Graph({ store }: { store: Store }) {
  const { host, width } = useWidth<HTMLDivElement>();
  return (
    <div class="stage graph">
      <div class="graph-pair grid">
        <div ref={host}>{width.value > 0 && <Ring store={store} width={width.value} />}</div>
        {!store.isLocked.value && <Parts store={store} />}
      </div>
    </div>
  );
}

function Ring({ store, width }: { store: Store; width: number }) {
  const t = words.value.graph;
  const session = store.session.value;
  const { state } = session.place;
  const { bucketCount, bucketSize } = state.shape;
  const height = Math.min(width, 560);
  const centre = { x: width / 2, y: height / 2 };
  const operation = operationShown(session);
  const turned = new Set(operation === null ? [] : kicksMade(operation).map((kick) => kick.before));
  const edges = edgesOf(state);
  const named = width < NARROW ? SMALL : SIZES;
  const isNamed = hasRoom(edges.length, radiusIn(width, height, named), named);
  const sizes = isNamed ? named : { ...named, half: 0, high: 0 };
  const { node } = sizes;
  const radius = radiusIn(width, height, sizes);
  const nodes = Array.from({ length: bucketCount }, (_, bucket) =>
    nodeAt(bucket, bucketCount, centre, radius),
  );
  const ways = arranged(
    edges.map((edge) => waysOf(edge, bucketCount, centre, radius, sizes)),
    nodes,
    sizes,
  );
  const counts = (bucket: number): number => edges.filter(({ to }) => to === bucket).length;
  return (
    <svg
      class="picture"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t.picture(bucketCount, edges.length)}
    >
      {edges.map((edge, i) => (
        <g
          key={edge.owner}
          class={`edge${turned.has(edge.fingerprint) ? ' is-turned' : ''}`}
          style={hueStyle(edge.fingerprint)}
        >
          <path class="edge-line" d={ways[i]?.line} />
          <path class="edge-head" d={ways[i]?.head} />
        </g>
      ))}
      {nodes.map(({ x, y }, bucket) => {
        const home = homeMark(session, bucket);
        return (
          <g
            key={bucket}
            class={`node${counts(bucket) === bucketSize ? ' is-full' : ''}`}
            transform={`translate(${x} ${y})`}
          >
            {home !== null && <circle class={`home-outline is-${home}`} r={node + 6} />}
            <circle class="node-body" r={node} />
            <text class="node-number">{bucket}</text>
          </g>
        );
      })}
      {edges.map(({ owner, fingerprint }, i) => {
        const { x, y } = ways[i]?.label ?? centre;
        if (!isNamed && !turned.has(fingerprint)) return null;
        return (
          <Chip
            key={owner}
            fingerprint={fingerprint}
            text={hex(fingerprint, session.settings.fingerprintBits)}
            {...{ x: x - named.half, y: y - named.high / 2, width: 2 * named.half, height: named.high }}
          />
        );
      })}
    </svg>
  );
}

/** How full each connected part is: in words, for everyone. It would answer a question on the graph. */
function Parts({ store }: { store: Store }) {
  const t = words.value.graph;
  const { state } = store.session.value.place;
  const parts = partsOf(state);
  const edges = edgesOf(state);
  const loops = edges.filter(({ from, to }) => from === to).length;
  return (
    <div class="parts grid">
      <h2>{t.parts}</h2>
      {parts.length === 0 && <p class="note">{t.noParts}</p>}
      <ul>
        {parts.map(({ buckets, edges: held, room }) => (
          <li key={buckets.join()} class={held === room ? 'is-full' : ''}>
            {t.part(words.value.plot.list(buckets))} <b>{t.filled(held, room)}</b>
          </li>
        ))}
      </ul>
      {edges.length > 0 && <p class="note">{t.loops(loops, edges.length, state.shape.bucketCount)}</p>}
      <p class="note">{t.note}</p>
    </div>
  );
}
