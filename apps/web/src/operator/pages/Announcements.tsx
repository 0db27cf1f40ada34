import type { OperatorBody, OperatorData } from '@coffer/contract/operator/index.ts'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { Action } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { Two } from '../Rows.tsx'
import { useTexts } from '../texts.ts'

type Row = OperatorData<'GET /api/operator/v1/announcements'>['list'][number]
type Texts = OperatorBody<'POST /api/operator/v1/announcements'>

const looks = { running: 'success', ended: 'closed', withdrawn: 'error' } as const
const weekMs = 7 * 86_400_000

/** The value of an input for a local time. */
const localTime = (ms: number) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

export default function Announcements() {
  const t = useTexts()
  const { data, error, refetch } = useRead('GET /api/operator/v1/announcements', {})
  const columns: Column<Row>[] = [
    {
      key: 'title',
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
    {
      key: 'state',
      title: t.state,
      cell: row => <Badge kind={looks[row.state]}>{t.announcementStates[row.state]}</Badge>,
    },
    {
      key: 'receivers',
      title: t.receivers,
      cell: row => (
        <Two first={row.receivers} second={row.mchids.length === 0 ? t.everyMerchant : row.mchids.join(', ')} />
      ),
    },
    {
      key: 'from',
      title: t.announced,
      cell: row => <Two first={<Time seconds={row.created_time} />} second={row.operator} />,
    },
    { key: 'until', title: t.until, cell: row => <Time seconds={row.ends_time} /> },
    {
      key: 'actions',
      title: t.actions,
      align: 'end',
      cell: row =>
        row.state !== 'withdrawn' && (
          <Action
            call="POST /api/operator/v1/announcements/:id/withdraw"
            label={t.withdrawAnnouncement}
            text={t.withdrawAnnouncementText}
            look="danger"
            done={t.saved}
            run={() =>
              api('POST /api/operator/v1/announcements/:id/withdraw', { params: { id: row.id } }).then(() => null)
            }
          />
        ),
    },
  ]
  return (
    <>
      <PageHeader title={t.menu.announcements} text={t.announcementsText} actions={<Announce />} />
      <Card flush>
        <Table
          caption={t.menu.announcements}
          columns={columns}
          rows={data?.list}
          rowKey={row => row.id}
          error={error}
          onRetry={() => void refetch()}
          skeletonRows={3}
          empty={<Empty icon="bell" title={t.noAnnouncements} />}
        />
      </Card>
    </>
  )
}

function Announce() {
  const t = useTexts()
  return (
    <Action
      call="POST /api/operator/v1/announcements"
      label={t.announce}
      text={t.announceText}
      look="primary"
      size="medium"
      fields={[
        { name: 'title_en', label: t.titleEn, max: 100 },
        { name: 'content_en', label: t.contentEn, kind: 'area', max: 2_000 },
        { name: 'title_zh', label: t.titleZh, max: 100 },
        { name: 'content_zh', label: t.contentZh, kind: 'area', max: 2_000 },
        { name: 'mchids', label: t.onlyMerchants, kind: 'area', max: 20_000, optional: true },
        { name: 'ends_time', label: t.until, kind: 'time', value: localTime(Date.now() + weekMs) },
      ]}
      done={t.announcedDone}
      run={async ({ mchids = '', ends_time = '', ...texts }) => {
        const body = {
          ...(texts as unknown as Texts),
          mchids: mchids.split(/[\s,，;]+/).filter(each => each !== ''),
          ends_time: Math.floor(new Date(ends_time).getTime() / 1_000),
        }
        await api('POST /api/operator/v1/announcements', { body })
        return null
      }}
    />
  )
}
