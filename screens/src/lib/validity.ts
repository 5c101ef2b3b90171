/** The sentences about fields that a form cannot be sent with: in the language of the screen, not in that of the browser. */
import { t } from './words.svelte.ts';

type Filled = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Say from now on, in the language that is spoken then, what is wrong with a field. */
export function sayWhatIsWrongWithFields(): void {
  // a form is looked at anew whenever it is sent, also after its fields were filled in by something else than keys
  document.addEventListener(
    'click',
    ({ target }) => sentBy(target)?.forEach((each) => each.setCustomValidity('')),
    true,
  );
  document.addEventListener(
    'invalid',
    ({ target }) => {
      const { validity } = target as Filled;
      (target as Filled).setCustomValidity(t(validity.valueMissing ? 'common.missing' : 'common.unreadable'));
    },
    true,
  );
}

/** Return the fields of the form that a click sends. */
function sentBy(target: EventTarget | null): Filled[] | undefined {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('button[type=submit]') : null;
  return button?.form ? ([...button.form.querySelectorAll('input, select, textarea')] as Filled[]) : undefined;
}
