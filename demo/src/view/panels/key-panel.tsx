// From key to homes: the hash, the bits kept as fingerprint, and how one home leads to the other.
import { words } from '../../i18n';
import { lowestDigits } from '../../model/picture/bits';
import { hex } from '../../model/picture/chip';
import { operationShown } from '../../model/trace/marks';
import { shortened } from '../../model/shortened';
import { focused } from '../../model/trace/session';
import type { EventOf } from '../../model/trace/state';
import type { Settings } from '../../model/settings';
import { homeSum, sumText } from '../../model/trace/sum';
import type { Store } from '../../app/store';
import { Chip } from '../stage/chip';
import { useSteady } from '../steady';

export function KeyPanel({ store }: { store: Store }) {
  const t = words.value;
  const [hash, location, name, settings] = useSteady(store, () => {
    const session = store.told.value;
    const operation = operationShown(session);
    return [
      operation?.hash ?? 0n,
      operation?.location ?? null,
      focused(session)?.key ?? '',
      session.settings,
    ];
  });
  return (
    <section class="panel">
      <h2>{t.key.title}</h2>
      {location === null ? (
        <p class="note">{t.key.none}</p>
      ) : (
        <Locating hash={hash} location={location} name={name} settings={settings} />
      )}
    </section>
  );
}

/** Of a key: its two ends tell it. */
const MOST_LETTERS = 120;

interface LocatingProps {
  readonly hash: bigint;
  readonly location: EventOf<'locate'>;
  readonly name: string;
  readonly settings: Settings;
}

function Locating({ hash, location, name, settings }: LocatingProps) {
  const t = words.value.key;
  const bits = settings.fingerprintBits;
  return (
    <ol class="locating">
      <li>
        <span class="locating-name">{t.key}</span>
        <bdi class="locating-key">
          {name === '' ? words.value.steps.key(name) : shortened(name, MOST_LETTERS)}
        </bdi>
      </li>
      <li>
        <span class="locating-name">{t.hash}</span>
        <Hash hash={hash} bits={bits} />
        <span class="note">{t.hashNote(bits, location.rawFingerprint.toString(2).padStart(bits, '0'))}</span>
      </li>
      <li>
        <span class="locating-name">{t.fingerprint}</span>
        <svg class="locating-chip" width={72} height={36} aria-hidden="true">
          <Chip
            fingerprint={location.fingerprint}
            text={hex(location.fingerprint, bits)}
            width={72}
            height={36}
          />
        </svg>
        <span class="visually-hidden">{hex(location.fingerprint, bits)}</span>
        {location.wasZeroReplaced && <span class="note">{t.zeroReplaced}</span>}
      </li>
      <li>
        <span class="locating-name">{t.homes}</span>
        <Homes location={location} settings={settings} />
      </li>
    </ol>
  );
}

/**
 * The hash in hexadecimal. The half that chooses the bucket and the bits of the fingerprint stand out: of a digit that holds
 * other bits as well, only as much is marked as is the fingerprint's.
 */
function Hash({ hash, bits }: { hash: bigint; bits: number }) {
  const digits = hex64(hash);
  const { before, kept, share } = lowestDigits(digits, bits);
  return (
    <code class="hash">
      <span class="hash-bucket">{digits.slice(0, 8)}</span>
      <span>{before.slice(8)}</span>
      <span class="hash-fingerprint" style={{ '--other': 1 - share }}>
        {kept}
      </span>
    </code>
  );
}

function hex64(hash: bigint): string {
  return hash.toString(16).padStart(16, '0');
}

function Homes({ location, settings }: Pick<LocatingProps, 'location' | 'settings'>) {
  const t = words.value;
  const { primary, alternate, offset, homesCoincide } = location;
  return (
    <>
      <span class="homes">
        <span class="home is-primary">{t.stage.bucket(primary)}</span>
        <span class="home is-alternate">{t.stage.bucket(alternate)}</span>
      </span>
      <code class="formula">{sumText(homeSum(settings, location))}</code>
      <span class="note">{homesCoincide ? t.key.coincide : t.key.offsetNote(offset)}</span>
    </>
  );
}
