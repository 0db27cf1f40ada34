import { workOrderLimits } from '@coffer/contract/work-order-codes.ts'
import { useMessages } from '../../i18n/messages.ts'
import { uploadPicture } from '../../kit/uploadPicture.ts'
import { FileUpload } from '../../ui/controls/FileUpload.tsx'

/** Up to five uploaded pictures, by their URLs. */
export function Pictures({ value, onChange }: { value: string[]; onChange(urls: string[]): void }) {
  const t = useMessages('work-orders')
  const places = value.length < workOrderLimits.pictures ? [...value, ''] : value
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">{t.pictures}</legend>
      {places.map((url, index) => (
        <FileUpload
          key={url || 'next'}
          label={t.picture(index + 1)}
          value={url}
          upload={uploadPicture}
          recommended="1600*1200"
          onChange={next =>
            onChange(
              next ? [...value.slice(0, index), next, ...value.slice(index + 1)] : value.filter(each => each !== url),
            )
          }
        />
      ))}
    </fieldset>
  )
}
