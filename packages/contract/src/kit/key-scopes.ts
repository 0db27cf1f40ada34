/**
 * What the key of an application may do, each alone. `read`: everything that shows. `orders`: orders, payment links and
 * addresses of customers. `refunds`, `payouts`: money out. `settings`: where callbacks go. `members`: who belongs to
 * the shop.
 */
export const keyScopes = ['read', 'orders', 'refunds', 'payouts', 'settings', 'members'] as const
export type KeyScope = (typeof keyScopes)[number]

/** The setting of an application that gives its key a scope. */
export const keyScopeSettings = {
  read: 'read_allowed',
  orders: 'orders_allowed',
  refunds: 'refunds_allowed',
  payouts: 'payouts_allowed',
  settings: 'settings_allowed',
  members: 'members_allowed',
} as const satisfies Record<KeyScope, string>
export type KeyScopeSetting = (typeof keyScopeSettings)[KeyScope]

/** The error of a call whose scope the key lacks. */
export const keyScopeErrors = {
  read: 'scope_missing',
  orders: 'scope_missing',
  refunds: 'payouts_not_allowed',
  payouts: 'payouts_not_allowed',
  settings: 'settings_not_allowed',
  members: 'scope_missing',
} as const satisfies Record<KeyScope, string>

/** Lists the scopes that the settings of an application give its key. */
export const listKeyScopes = (settings: Partial<Record<KeyScopeSetting, boolean>>): KeyScope[] =>
  keyScopes.filter(scope => settings[keyScopeSettings[scope]])
