import type { walletKinds } from '../address-book/routes.ts'
import type { Language } from '../languages.ts'

/** Kinds of wallets as exports of the address book name them, and as imports read them. */
export const walletNames: Record<Language, Record<(typeof walletKinds)[number], string>> = {
  en: { hosted: 'Hosted', self_hosted: 'Self-hosted' },
  'zh-CN': { hosted: '托管钱包', self_hosted: '自托管钱包' },
}
