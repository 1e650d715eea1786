// The insert that found no room, as three designs end it.
import { words } from '../../i18n';
import { isolated } from '../../i18n/isolated';
import { hex } from '../../model/picture/chip';
import { hasKicked, lastRefusal, POLICIES, type Policy, type Refusal } from '../../model/trace/refusal';
import type { Page } from '../../app/page';
import { Told } from '../stage/print';
import { useSteady } from '../steady';
import '../../styles/boards.css';

export default function Policies({ page }: { page: Page }) {
  const { store } = page;
  const t = words.value.policies;
  const [timeline, focus, hasAll, bits] = useSteady(store, () => {
    const session = store.told.value;
    return [session.timeline, session.focus, hasKicked(session), session.settings.fingerprintBits];
  });
  const refusal = lastRefusal({ ...store.told.peek(), timeline, focus }, hasAll);
  return (
    <section class="panel policies" aria-label={t.title}>
      <h2>{t.title}</h2>
      {refusal === null ? (
        <p class="note">{t.none}</p>
      ) : (
        <>
          <p>{t.lead(isolated(refusal.key), refusal.kicks)}</p>
          <ol class="policy-list">
            {POLICIES.map((policy) => (
              <li key={policy} class={`policy is-${policy}`}>
                <h3>
                  {t.names[policy]} <small>{t.whose[policy]}</small>
                </h3>
                <Ending policy={policy} refusal={refusal} bits={bits} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

interface EndingProps {
  readonly policy: Policy;
  readonly refusal: Refusal;
  /** Of a fingerprint. */
  readonly bits: number;
}

/** What becomes of the fingerprint in hand, and who is harmed. */
function Ending({ policy, refusal, bits }: EndingProps) {
  const t = words.value.policies;
  const { victim, owner } = refusal;
  const print = hex(victim.fingerprint, bits);
  const isLost = policy === 'drop' && !refusal.hasTwin && owner !== refusal.key;
  return (
    <>
      <p>
        <Told text={t.place[policy](print, isolated(owner))} />
      </p>
      <p>
        <Told text={sentenceOf(policy, refusal, print)} />
      </p>
      <p>
        <b class={isLost ? 'is-lost' : ''}>
          {isLost ? t.lost(isolated(owner)) : policy === 'stash' ? t.closed : t.nobody}
        </b>
      </p>
    </>
  );
}

function sentenceOf(policy: Policy, { key, kicks, victim, owner, hasTwin }: Refusal, print: string): string {
  const t = words.value.policies;
  if (policy === 'back') return t.back(kicks);
  if (policy === 'stash') return t.stash;
  if (owner === key) return t.dropNew;
  return hasTwin ? t.dropTwin(isolated(owner), print) : t.drop(isolated(owner), print, ...victim.homes);
}
