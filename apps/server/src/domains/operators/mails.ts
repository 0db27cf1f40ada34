import type { OperatorEventName } from '@coffer/contract/events.ts'
import type { Deps } from '../../deps.ts'
import { auditOriginOf } from '../../kit/audit.ts'
import { events } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'

/** Warns an operator of a visitor. */
export function warnOperator(
  deps: Deps,
  uow: UnitOfWork,
  { id, name, from }: { id: string; name: Exclude<OperatorEventName, 'operators_changed'>; from: Visitor },
): void {
  const { ip, device, address } = auditOriginOf(deps, from)
  uow.add(events, [{ name, person_id: id, params: { ip, device, address }, created_at: deps.clock() }])
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
