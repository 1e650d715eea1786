// Where to read the paper.
import { words } from '../i18n';

export function PaperLink() {
  return (
    <a href="https://www.cs.cmu.edu/~dga/papers/cuckoo-conext2014.pdf" rel="noreferrer">
      {words.value.paper.link}
    </a>
  );
}
