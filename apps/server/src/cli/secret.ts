import { compareFingerprints } from '../domains/installation/fingerprints.ts'
import { resealWithCurrentSecret } from '../domains/installation/rotate-secret.ts'
import { type Command, CommandFailure } from './command.ts'

export const secretCommands: Command[] = [
  {
    usage: 'secret rotate',
    help: 'seal all secrets again with COFFER_SECRET; they were sealed with COFFER_SECRET_PREVIOUS',
    changes: true,
    async run(_, __, deps) {
      const { problems } = await compareFingerprints(deps)
      if (problems.length > 0) throw new CommandFailure(problems.join('\n'))
      const count = await resealWithCurrentSecret(deps)
      return `${count} secrets are sealed again. Keep COFFER_SECRET_PREVIOUS for two days, in which clients may retry earlier requests; then unset it and restart the server.`
    },
  },
]
