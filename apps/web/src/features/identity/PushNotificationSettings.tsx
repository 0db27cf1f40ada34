import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showFailureToast } from '../../api/explain.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { type PushState, readPushState, requestPushPermission, turnPushOff, turnPushOn } from '../../kit/push.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Loading } from '../../ui/feedback/States.tsx'

const queryKey = ['push']

/** Notifications of received payments on this device, which a merchant turns on for each device. */
export function PushNotificationSettings() {
  const t = useMessages('identity')
  const client = useQueryClient()
  const { data: state, error, refetch } = useQuery({ queryKey, queryFn: readPushState })
  const [busy, setBusy] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const change = async (verb: typeof turnPushOff) => {
    setBusy(true)
    await verb()
      .then(next => client.setQueryData(queryKey, next))
      .catch(showFailureToast)
    setBusy(false)
  }
  const turnOn = async () => {
    const allowed = await requestPushPermission()
    if (allowed === 'granted') setConfirming(true)
    else client.setQueryData(queryKey, allowed)
  }
  return (
    <Card title={t.push}>
      {!state ? (
        <Loading of={{ error, refetch }} className="h-11 w-full" />
      ) : (
        <div className="flex flex-col items-start gap-3">
          <p role="status" className="text-[13px] text-ink-2">
            {t.pushStates[state]}
          </p>
          {state === 'off' && (
            <Button look="primary" icon="bell" busy={busy} onClick={() => void turnOn()}>
              {t.pushOn}
            </Button>
          )}
          {state === 'on' && (
            <Button busy={busy} onClick={() => void change(turnPushOff)}>
              {t.pushOff}
            </Button>
          )}
        </div>
      )}
      {confirming && (
        <Confirm onDone={next => client.setQueryData(queryKey, next)} onClose={() => setConfirming(false)} />
      )}
    </Card>
  )
}

function Confirm({ onDone, onClose }: { onDone(state: PushState): void; onClose(): void }) {
  const t = useMessages('identity')
  return (
    <ActionForm
      title={t.pushTitle}
      text={t.pushAsk}
      verb={t.pushOn}
      proof={useProof('push-device')}
      call={async (_values, { proof }) => {
        try {
          onDone(await turnPushOn(proof))
        } catch (failure) {
          // The browser's own error says only that there is no connection.
          if (!(failure instanceof DOMException)) throw failure
          showToast('error', t.pushFailed)
        }
      }}
      onClose={onClose}
    />
  )
}
