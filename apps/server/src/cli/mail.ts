import { isEmail } from '@coffer/contract/validators.ts'
import { Refusal } from '../kit/refusal.ts'
import { mailProblem } from '../outside/mail.ts'
import { CheckFailure, type Command } from './command.ts'

export const mailCommands: Command[] = [
  {
    usage: 'mail test <address>',
    help: 'send a test mail, to see that mail works',
    async run({ mail, config }, [to = '']) {
      if (!isEmail(to)) throw new Refusal('bad_email', { field: to })
      if (config.mode === 'sandbox') return 'The sandbox sends no mail: it shows every mail on its page /sandbox.'
      const text = `This mail shows that Coffer at ${config.publicUrl} can send mail.\n`
      await mail.send({ to, subject: 'Coffer: test mail', text }).catch(error => {
        throw new CheckFailure(mailProblem(error))
      })
      return `The mail server accepted a mail to ${to} from ${config.mailFrom}. See whether it arrives, also among spam.`
    },
  },
]
