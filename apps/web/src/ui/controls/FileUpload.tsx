import { imageTypes, isUploadableImage } from '@coffer/contract/kit/validators.ts'
import { useRef, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'
import { Icon } from '../icons.tsx'
import { Button } from './Button.tsx'

interface Props {
  label: string
  /** The image's URL, or empty. */
  value: string
  onChange(url: string): void
  /** Uploads the file and returns its URL. */
  upload(file: File): Promise<string>
  /** The recommended size: "200*200". */
  recommended: string
}

/** Image upload with preview: png, jpg, jpeg or gif under 3M. Uploads immediately; the form saves the URL. */
export function FileUpload({ label, value, onChange, upload, recommended }: Props) {
  const t = useMessages('desktop')
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const choose = async (file: File | undefined) => {
    if (!file) return
    if (!isUploadableImage(file)) return showToast('error', t.imageBad)
    setBusy(true)
    try {
      onChange(await upload(file))
    } catch {
      // `upload` has shown the error.
    } finally {
      setBusy(false)
      if (input.current) input.current.value = ''
    }
  }
  return (
    <div className="flex items-center gap-4">
      <span className="flex size-16 shrink-0 items-center justify-center overflow-hidden rounded-lg border border-line bg-sunken text-ink-3">
        {value ? <img src={value} alt={label} className="size-full object-cover" /> : <Icon name="upload" />}
      </span>
      <div className="min-w-0">
        <div className="mb-1 text-[13px] font-medium text-ink-2">{label}</div>
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            busy={busy}
            aria-label={`${value ? t.replaceImage : t.chooseImage}: ${label}`}
            onClick={() => input.current?.click()}
          >
            {busy ? t.uploading : value ? t.replaceImage : t.chooseImage}
          </Button>
          {value && (
            <Button size="small" look="ghost" aria-label={`${t.removeImage}: ${label}`} onClick={() => onChange('')}>
              {t.removeImage}
            </Button>
          )}
        </div>
        <p className="mt-1 text-xs text-ink-3">{t.imageRule(recommended)}</p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={label}
          accept={imageTypes.join(',')}
          onChange={event => void choose(event.currentTarget.files?.[0])}
        />
      </div>
    </div>
  )
}
