import { useEffect, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../../ui/classes.ts'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Icon } from '../../ui/icons.tsx'

/** Loads a picture by its id, with the session, so that its address opens it for nobody else. */
export type LoadPicture = (id: string, signal: AbortSignal) => Promise<Blob>

/** A picture that only the session may read, small; in full when it is pressed. */
export function Picture({ id, label, load }: { id: string; label: string; load: LoadPicture }) {
  const t = useMessages('work-orders')
  const [url, setUrl] = useState<string>()
  const [open, setOpen] = useState(false)
  const [isLarge, setIsLarge] = useState(false)
  useEffect(() => {
    const ended = new AbortController()
    let made = ''
    load(id, ended.signal).then(
      blob => {
        if (ended.signal.aborted) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      },
      () => !ended.signal.aborted && setUrl(''),
    )
    return () => {
      ended.abort()
      URL.revokeObjectURL(made)
    }
  }, [id, load])
  return (
    <>
      <button
        type="button"
        disabled={!url}
        aria-label={label}
        title={url === '' ? t.pictureFailed : label}
        onClick={() => setOpen(true)}
        className="flex size-20 items-center justify-center overflow-hidden rounded-lg border border-line bg-surface text-ink-3 enabled:cursor-zoom-in enabled:hover:border-line-strong"
      >
        {url ? <img src={url} alt="" className="size-full object-cover" /> : url === '' && <Icon name="warning" />}
      </button>
      <Modal open={open} size="fit" title={label} flush onClose={() => setOpen(false)}>
        <button
          type="button"
          aria-pressed={isLarge}
          aria-label={t.actualSize}
          title={t.actualSize}
          onClick={() => setIsLarge(!isLarge)}
          className={cx('relative block overflow-auto', isLarge ? 'cursor-zoom-out' : 'cursor-zoom-in')}
        >
          <img
            src={url}
            alt={label}
            className={isLarge ? 'max-w-none' : 'max-h-[calc(100dvh-120px)] max-w-full object-contain'}
          />
        </button>
      </Modal>
    </>
  )
}
