import { useMessages } from '../../i18n/messages.ts'
import { Action } from './Action.tsx'
import { StakesText, together } from './Together.tsx'

/** Resumes the halted hot wallet of a chain. */
export function ResumeWallet({ id }: { id: string }) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/wallets/:id/resume'
  return (
    <Action
      call={call}
      params={{ id }}
      label={t.resumeWallet}
      text={
        <StakesText call={call} id={id}>
          {t.resumeWalletText}
        </StakesText>
      }
      {...together(t)}
      look="danger"
    />
  )
}

/** Resumes a paused queue, or withdrawals that miss money. */
export function ResumeQueue({
  id,
  label,
  text,
}: {
  id: 'withdrawals' | 'callbacks' | 'sweeps'
  label: string
  text: string
}) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/queues/:id/resume'
  return (
    <Action
      call={call}
      params={{ id }}
      label={label}
      text={
        id === 'withdrawals' ? (
          <StakesText call={call} id={id}>
            {text}
          </StakesText>
        ) : (
          text
        )
      }
      {...together(t)}
    />
  )
}
