import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import type { Deps } from '../../deps.ts'
import { auditOriginOf } from '../../kit/audit.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { formatOrigin } from '../notifications/origin-text.ts'
import { activeOwners } from './store.ts'

/** A change of an operator's account, or that an owner asks for it. */
export interface OperatorChange {
  change: 'added' | 'renewed' | 'changed' | 'removed'
  email: string
  role: OperatorRole
  /** Who requested it. */
  by: string
  /** Whether another owner must ask for the same. */
  waits: boolean
}

const verbs = {
  added: { en: 'add', 'zh-CN': '添加' },
  renewed: { en: 'send a new one-time link to', 'zh-CN': '重新邀请' },
  changed: { en: 'change the role of', 'zh-CN': '修改角色' },
  removed: { en: 'remove', 'zh-CN': '移除' },
} satisfies Record<OperatorChange['change'], object>

/** Mails to operators are in both languages: their accounts have none. */
function changeMail({ change, email, role, by, waits }: OperatorChange) {
  const { en, 'zh-CN': zh } = verbs[change]
  const now = waits
    ? {
        en: `${by} asks to ${en} ${email} (${role}). Nothing happens until another owner does the same in the console.`,
        'zh-CN': `${by} 申请${zh}运营人员 ${email}（${role}），须由另一位所有者在控制台执行相同操作后生效。`,
      }
    : {
        en: `Done: ${en} ${email} (${role}), by ${by}. If nobody agreed to this with you, remove the operator and ask them.`,
        'zh-CN': `已${zh}运营人员 ${email}（${role}），操作人 ${by}。如您不知情，请移除该运营人员并核实。`,
      }
  return { subject: `Coffer: ${en} ${email} / ${zh} ${email}`, text: `${now.en}\n\n${now['zh-CN']}\n` }
}

/** Notifies every owner who can sign in, without waiting. Failures are only logged: the log of the console remains. */
export async function mailOwners(deps: Deps, change: OperatorChange): Promise<void> {
  const mail = changeMail(change)
  for (const { email } of await activeOwners(deps.pool))
    deps.mail.send({ to: email, ...mail }).catch(error => deps.log.error({ err: error }, 'owner not notified'))
}

const warnings = {
  new_device: {
    en: { subject: 'sign-in on a new device', text: 'Your account of the console was used on another device' },
    'zh-CN': { subject: '新设备登录', text: '您的控制台账号在新设备上登录' },
  },
  guessed: {
    en: { subject: 'wrong passwords', text: 'Somebody enters wrong passwords for your account of the console' },
    'zh-CN': { subject: '密码多次输入错误', text: '有人多次输入您控制台账号的错误密码' },
  },
} as const

/** Warns an operator of a visitor, without waiting. Failures are only logged. */
export function mailOperator(deps: Deps, to: string, event: keyof typeof warnings, from: Visitor): void {
  const { en, 'zh-CN': zh } = warnings[event]
  const origin = auditOriginOf(deps, from)
  const text = [
    `${en.text}: ${formatOrigin(origin, 'en')}`,
    'If this was not you, ask an owner for a new one-time link: it ends all sessions, password and passkeys.',
    `${zh.text}：${formatOrigin(origin, 'zh-CN')}`,
    '如非本人操作，请联系所有者重新邀请：所有会话、密码和通行密钥将随即失效。',
  ]
  const subject = `Coffer: ${en.subject} / ${zh.subject}`
  deps.mail
    .send({ to, subject, text: `${text.join('\n\n')}\n` })
    .catch(error => deps.log.error({ err: error }, 'operator not notified'))
}

/** Mails the one-time link to the invited address. Throws Refusal('mail_failed'). */
export async function mailInvitation(deps: Deps, to: string, link: string): Promise<void> {
  const text = [
    `You may use the operator's console of ${deps.config.publicUrl}. Choose a password and bind an authenticator:\n${link}`,
    `您已获得 ${deps.config.publicUrl} 运营控制台的账号，请设置密码并绑定身份验证器。`,
    'The link works once and expires in a day. Never share it. / 链接仅可使用一次，1 天内有效，请勿告知他人。',
  ]
  const subject = 'Your account of the Coffer console / Coffer 运营控制台账号'
  await deps.mail.send({ to, subject, text: `${text.join('\n\n')}\n` }).catch(error => {
    deps.log.error({ err: error }, 'invitation not sent')
    throw new Refusal('mail_failed')
  })
}
