import type { AlertKind } from '@coffer/contract/operator/names.ts'

/** Texts of the console about the mails that an operator gets. */
export default {
  title: 'Mails to me',
  text: 'About what you can act on. What comes at once is one mail. Incidents that may stop or lose money are always mailed, at any hour.',
  about: 'About',
  kinds: {
    incident: 'Other incidents',
    withdrawal: 'Withdrawals to decide',
    refund: 'Refunds to decide',
    opening: 'Openings to review',
    removal: 'Removals of authenticators that need a second person',
    decision: 'Decisions that need a second person',
  } satisfies Record<AlertKind, string>,
  urgent: 'Incidents that may stop or lose money',
  quiet: 'Quiet hours',
  always: 'None: mailed at any hour',
  hours: (from: string, until: string, zone: string) => `${from} to ${until}, ${zone}`,
  from: 'Quiet from',
  until: 'Until',
  quietText: (zone: string) => `In the time zone of this device, ${zone}. The same hour twice: no quiet hours.`,
  change: 'Change',
}
