// The insert that found no room, as three designs end it.
import { words } from '../../i18n';
import { isolated } from '../../model/text';
import { hex } from '../../model/picture/bits';
import { lastRefusal, POLICIES, type Policy, type Refusal } from '../../model/trace/refusal';
import type { Page } from '../../app/page';
import { marked } from '../stage/chip';
import '../../styles/boards.css';

export default function Policies({ page }: { page: Page }) {
  const { store } = page;
  const t = words.value.policies;
  const session = store.told.value;
  const refusal = lastRefusal(session);
  const print = hex(refusal?.victim.fingerprint ?? 0, session.settings.fingerprintBits);
  return (
    <section class="panel policies" aria-label={t.title}>
      <h2>{t.title}</h2>
      {refusal === null ? (
        <p class="note">{t.none}</p>
      ) : (
        <>
          <p>{marked(t.lead(isolated(refusal.key), refusal.kicks, print, isolated(refusal.owner)))}</p>
          <ol class="policy-list grid">
            {POLICIES.map((policy) => (
              <li key={policy} class={`policy grid is-${policy}`}>
                <h3>
                  {t.names[policy]} <small>{t.whose[policy]}</small>
                </h3>
                <Ending policy={policy} refusal={refusal} print={print} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Ending({ policy, refusal, print }: { policy: Policy; refusal: Refusal; print: string }) {
  const t = words.value.policies;
  const { owner } = refusal;
  const isLost = policy === 'drop' && !refusal.hasTwin && owner !== refusal.key;
  return (
    <>
      <p>{marked(sentenceOf(policy, refusal, print))}</p>
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
