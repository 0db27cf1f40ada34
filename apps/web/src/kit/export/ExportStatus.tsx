import { formatBytes, formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { Progress } from '../../ui/feedback/Progress.tsx'
import { Icon } from '../../ui/icons.tsx'
import { computeExportProgress } from './export.ts'
import type { useExport } from './useExport.ts'

interface Props extends ReturnType<typeof useExport> {
  /** Words the number of exported rows. */
  counted(text: string, count: number): string
}

/** Progress of an export with a cancel button, or its failure with a retry button. */
export default function ExportStatus({ state, again, cancel, dismiss, counted }: Props) {
  const t = useMessages('export')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const box = cx(cardClass, 'mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-[13px]')
  if (state.step !== 'running') {
    return (
      <div role="alert" className={box}>
        <Icon name="warning" size={16} className="text-bad" />
        <span className="grow">{t.failed}</span>
        <Button size="small" icon="refresh" onClick={again}>
          {common.tryAgain}
        </Button>
        <IconButton size="small" icon="close" label={common.close} onClick={dismiss} />
      </div>
    )
  }
  return (
    <section aria-label={t.progress} className={box}>
      <span className="font-medium" role="status">
        {t.running}
        {state.rows !== null && (
          <span className="num ml-2 text-ink-2">{counted(formatCount(state.rows, inLanguage), state.rows)}</span>
        )}
      </span>
      <span className="min-w-24 grow">
        <Progress label={t.progress} value={computeExportProgress(state)} />
      </span>
      <span className="num min-w-28 text-right text-ink-3">{t.received(formatBytes(state.received))}</span>
      <Button size="small" onClick={cancel}>
        {common.cancel}
      </Button>
    </section>
  )
}
