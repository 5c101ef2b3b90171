/** Credits that staff sell or cash out at a terminal: approved by a second person where need be, with a receipt. */
import type { Credentials, TableCommand } from '../../api/types.ts';
import { isRefused } from '../../lib/api.ts';
import { TableDesk } from '../../lib/desk.svelte.ts';
import type { Answer } from '../../lib/live.svelte.ts';

/** The desk of a table at which money moves; none is a receipt where the patron is asked first. */
export class MoneyDesk extends TableDesk {
  receipt: { says: string; digest: string } | null = null;

  protected override async sent(command: TableCommand, credentials?: Credentials, comesAs?: string): Promise<Answer> {
    const answer = await super.sent(command, credentials, comesAs);
    if (!isRefused(answer) && answer.receipt) this.receipt = answer.receipt;
    return answer;
  }
}
