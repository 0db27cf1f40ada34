import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { browserZone } from '../../../lib/zone.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { Rows, TwoLineCell } from '../../kit/Rows.tsx'

const looks = { running: 'success', ended: 'closed', withdrawn: 'error' } as const
const weekMs = 7 * 86_400_000

/** The value of an input for a local time. */
const localTime = (ms: number) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

export default function Announcements() {
  const t = useMessages('operator')
  return (
    <>
      <PageHeader title={t.menu.announcements} text={t.announcementsText} actions={<Announce />} />
      <Card flush>
        <Rows
          title={t.menu.announcements}
          columns={[
            {
              title: t.announcement,
              sticky: 'start',
              cell: row => (
                <div className="max-w-96 min-w-64">
                  {(['en', 'zh'] as const).map(language => (
                    <details key={language} className="text-[13px]">
                      <summary className="cursor-pointer wrap-anywhere">{row[`title_${language}`]}</summary>
                      <p className="py-1 wrap-anywhere whitespace-pre-line text-ink-2">{row[`content_${language}`]}</p>
                    </details>
                  ))}
                </div>
              ),
            },
            { title: t.state, cell: row => <Badge kind={looks[row.state]}>{t.announcementStates[row.state]}</Badge> },
            {
              title: t.receivers,
              cell: row => (
                <TwoLineCell
                  first={row.receivers}
                  second={row.mchids.length === 0 ? t.everyMerchant : joinList(row.mchids)}
                />
              ),
            },
            {
              title: t.announced,
              cell: row => <TwoLineCell first={<Time seconds={row.created_time} />} second={row.operator} />,
            },
            { title: t.until, cell: row => <Time seconds={row.ends_time} /> },
          ]}
          rowActions={row =>
            row.state !== 'withdrawn' && (
              <ActionButton call="POST /api/operator/v1/announcements/:id/withdraw" params={{ id: row.id }} />
            )
          }
          read={useRead('GET /api/operator/v1/announcements', {})}
          empty={t.noAnnouncements}
          icon="bell"
        />
      </Card>
    </>
  )
}

function Announce() {
  const t = useMessages('operator')
  const { zone } = useMessages('common')
  return (
    <ActionButton
      call="POST /api/operator/v1/announcements"
      size="medium"
      form={{
        initial: {
          title_en: '',
          content_en: '',
          title_zh: '',
          content_zh: '',
          mchids: '',
          ends_time: localTime(Date.now() + weekMs),
        },
        fields: [
          { name: 'title_en', label: t.titleEn, required: true, maxLength: 100 },
          { name: 'content_en', label: t.contentEn, kind: 'area', required: true, maxLength: 2_000 },
          { name: 'title_zh', label: t.titleZh, required: true, maxLength: 100 },
          { name: 'content_zh', label: t.contentZh, kind: 'area', required: true, maxLength: 2_000 },
          { name: 'mchids', label: t.onlyMerchants, kind: 'area', optional: true, maxLength: 20_000 },
          { name: 'ends_time', label: t.until, type: 'datetime-local', required: true, hint: zone(browserZone()) },
        ],
        body: ({ mchids, ends_time, ...texts }) => ({
          ...texts,
          mchids: mchids.split(/[\s,，;]+/).filter(each => each !== ''),
          ends_time: Math.floor(new Date(ends_time).getTime() / 1_000),
        }),
      }}
    />
  )
}
