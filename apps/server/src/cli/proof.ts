import { requestProof } from '../domains/proof/jobs.ts'
import { type Command, CommandFailure } from './command.ts'

export const proofCommands: Command[] = [
  {
    usage: 'proof make',
    help: 'publish a further proof of liabilities and reserves today, beside the daily one',
    changes: true,
    async run(_, __, deps) {
      if (deps.config.proof !== 'daily')
        throw new CommandFailure(
          'Proofs are off: set COFFER_PROOF=daily. They publish all sums and the addresses that hold something.',
        )
      const id = await requestProof(deps)
      return `The server makes proof ${id} and publishes it at ${deps.config.publicUrl}/proof/${id}.json, within ten minutes.`
    },
  },
]
