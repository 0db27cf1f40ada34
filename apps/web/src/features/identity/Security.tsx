import type { SecurityGroup } from '@coffer/contract/codes.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import type { AccountDialog, AccountUser } from './dialogs.ts'

interface Method {
  dialog: AccountDialog
  name: string
  text: string
  set?: boolean
  action: string
}

/** Sign-in and verification methods with their state and action. */
export function Security({ user, onOpen }: { user: AccountUser; onOpen(dialog: AccountDialog): void }) {
  const t = useMessages('identity')
  const common = useMessages('common')
  return (
    <ul className="divide-y divide-line">
      {methodsOf(t, common, user).map(({ dialog, name, text, set, action }) => (
        <li
          key={dialog}
          className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 py-3.5 first:pt-1 last:pb-0"
        >
          <div className="min-w-0 flex-[1_1_170px]">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {name}
              {set !== undefined && <Badge kind={set ? 'success' : 'closed'}>{set ? t.set : t.notSet}</Badge>}
            </p>
            <p className="mt-0.5 text-[13px] wrap-anywhere text-ink-3">{text}</p>
          </div>
          <Button aria-label={`${action}: ${name}`} onClick={() => onOpen(dialog)}>
            {action}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function methodsOf(t: Messages<'identity'>, { pair }: Messages<'common'>, user: AccountUser): Method[] {
  const chosen = Object.entries(user.security_choices).map(([group, way]) =>
    pair(t.groups[group as SecurityGroup], t.choices[way]),
  )
  const authenticator: Method = {
    dialog: 'authenticator',
    name: t.authenticator,
    text: t.authenticatorText,
    set: user.bind_google_auth,
    action: user.bind_google_auth ? t.bindAgain : t.bind,
  }
  const recovery: Method = {
    dialog: 'recovery',
    name: t.recovery,
    text: t.recoveryText(user.recovery_codes),
    set: user.recovery_codes > 0,
    action: user.recovery_codes > 0 ? t.recoveryRenew : t.recoveryMake,
  }
  return [
    authenticator,
    ...(user.bind_google_auth ? [recovery] : []),
    {
      dialog: 'password',
      name: t.password,
      text: t.passwordText,
      set: user.password,
      action: user.password ? t.changePassword : t.setPassword,
    },
    { dialog: 'mailbox', name: t.mailbox, text: t.mailboxText, set: user.email !== '', action: t.changeMailbox },
    {
      dialog: 'phone',
      name: t.phone,
      text: t.phoneText,
      set: user.phone_verified,
      action: user.phone_verified ? t.changeMailbox : t.bind,
    },
    {
      dialog: 'wallet',
      name: t.wallet,
      text: user.wallet || t.walletText,
      set: user.wallet !== '',
      action: user.wallet === '' ? t.link : t.unlink,
    },
    {
      dialog: 'switch',
      name: t.switch,
      // Its text says what applies, also when nothing was chosen.
      text: chosen.length > 0 ? chosen.join(' · ') : user.bind_google_auth ? t.switchBound : t.switchText,
      action: t.switchChange,
    },
  ]
}
