import { type KeyOverlap, keyOverlaps } from '@coffer/contract/codes.ts'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { RadioGroup } from '../../ui/controls/Choice.tsx'
import type { Secrets } from './SettingsDrawer.tsx'
import type { Application } from './settings.ts'

interface Props {
  application: Application
  target: 'secret_key' | 'webhook_secret'
  onClose(): void
  onRenewed(secrets: Secrets): void
}

/** Renews the secret key or webhook secret. The old key stays valid as long as chosen; both webhook secrets sign for a day. */
export default function RenewModal({ application, target, onClose, onRenewed }: Props) {
  const t = useMessages('applications')
  const { appid, name } = application
  const key = target === 'secret_key'
  const [overlap, setOverlap] = useState<KeyOverlap>(0)
  return (
    <ProofModal
      title={key ? t.renewKeyTitle : t.renewWebhookTitle}
      text={key ? t.renewKeyText(name) : t.renewWebhookText(name)}
      verb={t.renew}
      danger
      action="application"
      onClose={onClose}
      onConfirm={async confirmed => {
        const body = { appid, target, ...(key && { keep_seconds: overlap }), ...confirmed }
        const secrets = await api('PUT /api/v1/user/secret-key/refresh-google-secret', { body })
        await refresh('GET /api/v1/user/secret-key/list')
        onRenewed(secrets)
      }}
    >
      {key && (
        <RadioGroup
          legend={t.keepKey}
          value={String(overlap)}
          options={keyOverlaps.map(seconds => ({ value: String(seconds), label: t.overlaps[seconds] }))}
          onChange={value => setOverlap(Number(value) as KeyOverlap)}
        />
      )}
    </ProofModal>
  )
}
