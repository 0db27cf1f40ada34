/**
 * The steps of each page of docs/runbook/ that incidents name, in their order. The page says what each means, the
 * console lists them.
 */
export const incidentSteps = {
  'money-missing': ['find_transfer', 'halt_wallet', 'save_rest', 'change_key', 'bring_back', 'resume_payouts'],
  'deep-reorg': ['check_nodes', 'decide_deposits', 'inform_merchants', 'resume_chain'],
  'unread-blocks': ['check_nodes', 'preview_reread', 'apply_reread'],
  'changed-deposit': ['compare_transaction', 'undo_first_credit', 'inform_merchants'],
  'token-on-hold': ['compare_token', 'decide_token'],
  'other-token': ['see_sender', 'decide_other'],
  'voided-return': ['see_refusal', 'settle_return'],
  'token-upgraded': ['read_upgrade', 'stop_token'],
  payouts: ['see_wallet', 'fund_wallet', 'compare_policy', 'free_nonce'],
  'changed-payout': ['find_payout', 'decide_payout', 'correct_cause'],
  callbacks: ['see_queue', 'see_receivers', 'see_job', 'send_again'],
  unreached: ['see_refused', 'reach_person', 'end_unreached'],
  nodes: ['see_node', 'compare_head', 'replace_node'],
  treasury: ['compare_treasury', 'stop_signer', 'restore_policy'],
  'audit-log': ['verify_log', 'compare_backup', 'lock_out'],
  copy: ['stop_original', 'compare_payouts', 'release_copy'],
  backup: ['see_backup_log', 'make_backup'],
  other: ['look_into'],
} as const satisfies Record<string, readonly string[]>

export type IncidentRunbookPage = keyof typeof incidentSteps
export type IncidentStep = (typeof incidentSteps)[IncidentRunbookPage][number]

const pages: Partial<Record<string, IncidentRunbookPage>> = {
  shortage: 'money-missing',
  wallet_halted: 'money-missing',
  native_missing: 'money-missing',
  deep_reorg: 'deep-reorg',
  surplus: 'unread-blocks',
  reread_preview: 'unread-blocks',
  undone_deposit_is_back: 'unread-blocks',
  deposit_changed: 'changed-deposit',
  token_differs: 'token-on-hold',
  token_unknown: 'token-on-hold',
  other_token: 'other-token',
  return_voided: 'voided-return',
  token_upgraded: 'token-upgraded',
  wallet_short: 'payouts',
  payout_waits: 'payouts',
  payout_stuck: 'payouts',
  payouts_frozen: 'payouts',
  payout_unmoved: 'payouts',
  sweep_unmoved: 'payouts',
  payout_undone: 'changed-payout',
  payout_made: 'changed-payout',
  issuer_stops: 'payouts',
  deposit_blocked: 'payouts',
  payout_refused: 'payouts',
  treasury_changed: 'treasury',
  treasury_ours: 'treasury',
  audit_log: 'audit-log',
  chain_delayed: 'nodes',
  node_failing: 'nodes',
  node_differs: 'nodes',
  node_forked: 'nodes',
  balances_differ: 'nodes',
  callbacks_late: 'callbacks',
  messages_lost: 'unreached',
  database_copied: 'copy',
  backup_late: 'backup',
}

/** The page of docs/runbook/ about a kind of incident. */
export const runbookPageOfIncident = (kind: string): IncidentRunbookPage => pages[kind] ?? 'other'

/** Kinds of incidents about one node of several. */
export const singleNodeIncidentKinds: readonly string[] = ['node_failing', 'node_differs', 'node_forked']
const quiet = [...singleNodeIncidentKinds, 'balances_differ']
const harmless: readonly IncidentRunbookPage[] = [
  'unread-blocks',
  'changed-deposit',
  'other-token',
  'token-upgraded',
  'unreached',
  'backup',
  'other',
]
/** Whether money may stand still or be missing by a kind of incident, so that it is mailed at any hour. */
export const isUrgent = (kind: string): boolean =>
  !quiet.includes(kind) && !harmless.includes(runbookPageOfIncident(kind))

/** Whether incidents of a kind last as long as their cause and end with it: nobody closes them. */
export const isSelfClosingIncident = (kind: string): boolean => lasting.includes(kind)
const lasting = [
  'chain_delayed',
  ...singleNodeIncidentKinds,
  'wallet_short',
  'payout_waits',
  'payout_stuck',
  'payouts_frozen',
  'issuer_stops',
  'deposit_blocked',
  'treasury_ours',
  'callbacks_late',
  'other_token',
  'balances_differ',
]
