import { useQuery } from '@tanstack/react-query'
import { RequestUnanswered } from '../../../api/failure.ts'
import { useMessages } from '../../../i18n/messages.ts'
import {
  findPushSubscription,
  isPushSupported,
  subscribeToPush,
  subscriptionId,
  toPushDevice,
} from '../../../lib/subscription.ts'
import { showToast } from '../../../lib/toast.ts'
import { Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { RowsCard } from '../../kit/Rows.tsx'

/** The devices that show alerts to the operator who is signed in, also while the console is closed. */
export function MyDevices() {
  const t = useMessages('operator-alerts')
  const read = useRead('GET /api/operator/v1/alert-devices', {})
  const { data: here } = useQuery({
    queryKey: ['subscription', read.dataUpdatedAt],
    queryFn: async () => {
      const subscription = await findPushSubscription('/')
      return subscription ? subscriptionId(subscription) : null
    },
    enabled: isPushSupported(),
  })
  const isOn = read.data?.list.some(({ id }) => id === here)
  return (
    <RowsCard
      title={t.devices}
      className="mt-4"
      actions={isPushSupported() && read.data && !isOn && <Add publicKey={read.data.public_key} />}
      columns={[
        {
          title: t.device,
          sticky: 'start',
          cell: row => (row.id === here ? t.thisDevice(row.device || t.device) : row.device || t.device),
        },
        { title: t.deviceSince, cell: row => <Time seconds={row.created_time} /> },
      ]}
      rowActions={({ id, device }) => (
        <span className="inline-flex gap-2 max-sm:flex-wrap">
          <ActionButton
            call="POST /api/operator/v1/alert-devices/:id/test"
            params={{ id }}
            facts={{ name: device }}
            result={({ ok }) => <p className="text-sm">{ok ? t.deviceTested : t.deviceFailed}</p>}
          />
          <ActionButton call="DELETE /api/operator/v1/alert-devices/:id" params={{ id }} facts={{ name: device }} />
        </span>
      )}
      read={read}
      empty={t.noDevices}
      icon="bell"
    >
      {!isPushSupported() && <p className="px-5 pt-3 text-[13px] text-ink-2">{t.deviceUnsupported}</p>}
    </RowsCard>
  )
}

function Add({ publicKey }: { publicKey: string }) {
  const t = useMessages('operator-alerts')
  const subscribeHere = async () => {
    const refused = (text: string) => {
      showToast('error', text)
      throw new RequestUnanswered('aborted')
    }
    // A browser asks only after a tap.
    if ((await Notification.requestPermission()) !== 'granted') return refused(t.deviceDenied)
    return toPushDevice(await subscribeToPush('/worker.js', publicKey).catch(() => refused(t.deviceNoService)))
  }
  return <ActionButton call="POST /api/operator/v1/alert-devices" form={{ initial: {}, body: subscribeHere }} />
}
