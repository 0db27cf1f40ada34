import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { formatOrigin } from './origin-text.ts'

/** A change of an operator's account, or that an owner asks for it, as the params of its event. */
export type OperatorChange = {
  change: 'added' | 'renewed' | 'changed' | 'removed'
  email: string
  role: OperatorRole
  /** Who requested it. */
  by: string
  /** Another owner must ask for the same. */
  waits?: 'yes'
}

const verbs = {
  added: { en: 'add', 'zh-CN': '添加' },
  renewed: { en: 'send a new one-time link to', 'zh-CN': '重新邀请' },
  changed: { en: 'change the role of', 'zh-CN': '修改角色' },
  removed: { en: 'remove', 'zh-CN': '移除' },
} satisfies Record<OperatorChange['change'], object>

/** Mails to operators are in both languages: their accounts have none. */
export function renderOperatorChange(params: Record<string, string>) {
  const { change, email, role, by, waits } = params as unknown as OperatorChange
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

const warnings = {
  operator_new_device: {
    en: { subject: 'sign-in on a new device', text: 'Your account of the console was used on another device' },
    'zh-CN': { subject: '新设备登录', text: '您的控制台账号在新设备上登录' },
  },
  operator_password_guessed: {
    en: { subject: 'wrong passwords', text: 'Somebody enters wrong passwords for your account of the console' },
    'zh-CN': { subject: '密码多次输入错误', text: '有人多次输入您控制台账号的错误密码' },
  },
} as const

/** Warns an operator of a visitor. */
export function renderOperatorWarning(event: keyof typeof warnings, origin: Record<string, string>) {
  const { en, 'zh-CN': zh } = warnings[event]
  const text = [
    `${en.text}: ${formatOrigin(origin, 'en')}`,
    'If this was not you, ask an owner for a new one-time link: it ends all sessions, password and passkeys.',
    `${zh.text}：${formatOrigin(origin, 'zh-CN')}`,
    '如非本人操作，请联系所有者重新邀请：所有会话、密码和通行密钥将随即失效。',
  ]
  return { subject: `Coffer: ${en.subject} / ${zh.subject}`, text: `${text.join('\n\n')}\n` }
}
