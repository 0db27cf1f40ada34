export const emailCodePurpose = {
  login: 1,
  register: 2,
  retrievePassword: 3,
  opening: 4,
  googleAuth: 5,
  updateMailbox: 6,
  updatePassword: 7,
  withdrawal: 8,
  updateMailboxNew: 9,
  bindPhone: 10,
  application: 11,
  closeAccount: 12,
  markPayment: 13,
  transfer: 14,
  withdrawalSettings: 15,
  approval: 16,
  addressBook: 18,
  passkey: 20,
  recoveryCodes: 21,
  wallet: 22,
  securitySwitch: 23,
  pushDevice: 24,
  members: 25,
} as const
export type EmailCodePurpose = (typeof emailCodePurpose)[keyof typeof emailCodePurpose]
export const phoneCodePurpose = { bindPhone: 1, updatePhone: 2, withdrawal: 3 } as const
export type PhoneCodePurpose = (typeof phoneCodePurpose)[keyof typeof phoneCodePurpose]

/**
 * Actions that need a fresh proof of identity, with the purposes of the email and phone codes accepted for them (null:
 * none). A passkey confirms each of them. While an authenticator is bound, only its codes and passkeys are accepted,
 * unless phone codes were chosen.
 */
export const proofActions = {
  'google-auth': { email: emailCodePurpose.googleAuth, phone: null },
  mailbox: { email: emailCodePurpose.updateMailbox, phone: null },
  password: { email: emailCodePurpose.updatePassword, phone: null },
  phone: { email: emailCodePurpose.bindPhone, phone: null },
  withdrawal: { email: emailCodePurpose.withdrawal, phone: phoneCodePurpose.withdrawal },
  approval: { email: emailCodePurpose.approval, phone: null },
  'notify-url': { email: emailCodePurpose.application, phone: null },
  application: { email: emailCodePurpose.application, phone: null },
  'close-account': { email: emailCodePurpose.closeAccount, phone: null },
  'mark-payment': { email: emailCodePurpose.markPayment, phone: null },
  transfer: { email: emailCodePurpose.transfer, phone: null },
  'address-book': { email: emailCodePurpose.addressBook, phone: null },
  'withdrawal-settings': { email: emailCodePurpose.withdrawalSettings, phone: null },
  passkey: { email: emailCodePurpose.passkey, phone: null },
  'recovery-codes': { email: emailCodePurpose.recoveryCodes, phone: null },
  wallet: { email: emailCodePurpose.wallet, phone: null },
  'push-device': { email: emailCodePurpose.pushDevice, phone: null },
  members: { email: emailCodePurpose.members, phone: null },
  'security-switch': { email: emailCodePurpose.securitySwitch, phone: phoneCodePurpose.withdrawal },
} as const
export type ProofAction = keyof typeof proofActions

/**
 * Groups of actions for each of which a merchant can choose how they are confirmed. Other actions, on factors, accept
 * every method.
 */
export const securityGroups = {
  withdrawal: ['withdrawal', 'approval'],
  money: ['transfer', 'address-book', 'withdrawal-settings', 'mark-payment'],
  applications: ['application', 'notify-url'],
} as const satisfies Record<string, readonly ProofAction[]>
export type SecurityGroup = keyof typeof securityGroups
/**
 * Only a passkey, or codes of one channel and passkeys. Codes by email confirm nothing while an authenticator is bound.
 */
export const securityChoices = ['passkey', 'phone', 'email'] as const
export type SecurityChoice = (typeof securityChoices)[number]

export const securityGroupOf = (action: ProofAction): SecurityGroup | undefined =>
  (Object.keys(securityGroups) as SecurityGroup[]).find(group =>
    (securityGroups[group] as readonly ProofAction[]).includes(action),
  )

/**
 * Keeps of the methods of a merchant those that a choice leaves. One that the merchant no longer has leaves all, except
 * that phone codes must be chosen while an authenticator is bound.
 */
export function filterProofMethods<M extends string>(methods: readonly M[], choice: SecurityChoice | undefined): M[] {
  const held: readonly string[] = methods
  if (choice && held.includes(choice)) return methods.filter(method => method === 'passkey' || method === choice)
  return methods.filter(method => method !== 'phone' || !held.includes('google'))
}
