import { workOrderLimits } from '@coffer/contract/codes/work-orders.ts'
import { imageTypes, isUploadableImage } from '@coffer/contract/kit/validators.ts'
import { useRef, useState } from 'react'
import { showFailureToast } from '../../api/explain.ts'
import { useMessages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { type LoadPicture, Picture } from './Picture.tsx'

interface Props {
  /** Ids of uploaded pictures. */
  value: string[]
  onChange(ids: string[]): void
  /** Uploads the form and returns the picture's id. */
  upload(form: FormData): Promise<{ id: string }>
  load: LoadPicture
}

/** Pictures of a message, uploaded as they are chosen. */
export function Pictures({ value, onChange, upload, load }: Props) {
  const t = useMessages('work-orders')
  const texts = useMessages('desktop')
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const add = async (files: File[]) => {
    const ids = [...value]
    setBusy(true)
    try {
      for (const file of files.slice(0, workOrderLimits.pictures - value.length)) {
        if (!isUploadableImage(file)) {
          showToast('error', texts.imageBad)
          continue
        }
        const form = new FormData()
        form.append('file', file)
        ids.push((await upload(form)).id)
      }
    } catch (error) {
      showFailureToast(error as Error)
    } finally {
      setBusy(false)
      onChange(ids)
      if (input.current) input.current.value = ''
    }
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{t.pictures}</legend>
      {value.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {value.map((id, index) => (
            <span key={id} className="relative">
              <Picture id={id} label={t.picture(index + 1)} load={load} />
              <span className="absolute top-1 right-1 flex rounded-lg bg-surface">
                <IconButton
                  icon="close"
                  size="small"
                  label={`${texts.removeImage}: ${t.picture(index + 1)}`}
                  onClick={() => onChange(value.filter(each => each !== id))}
                />
              </span>
            </span>
          ))}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          size="small"
          icon="upload"
          busy={busy}
          disabled={value.length >= workOrderLimits.pictures}
          onClick={() => input.current?.click()}
        >
          {busy ? texts.uploading : t.addPictures}
        </Button>
        <p className="text-xs text-ink-3">{t.pictureRule(workOrderLimits.pictures)}</p>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t.addPictures}
        accept={imageTypes.join(',')}
        onChange={event => void add([...(event.currentTarget.files ?? [])])}
      />
    </fieldset>
  )
}
