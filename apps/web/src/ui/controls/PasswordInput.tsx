import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { IconButton } from './Button.tsx'
import { TextInput, type TextInputProps } from './TextInput.tsx'

/** A password field with a button to reveal it. */
export function PasswordInput(props: TextInputProps) {
  const t = useMessages('common')
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <TextInput
        {...props}
        type={shown ? 'text' : 'password'}
        className="pr-10"
        autoCapitalize="none"
        spellCheck={false}
      />
      <span className="absolute top-1 right-1 pointer-coarse:top-0 pointer-coarse:right-0">
        <IconButton
          size="small"
          icon={shown ? 'eyeOff' : 'eye'}
          label={shown ? t.hidePassword : t.showPassword}
          onClick={() => setShown(!shown)}
        />
      </span>
    </div>
  )
}
