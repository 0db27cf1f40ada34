/** Runs several test files in this process, each as a suite named by its path. Started by run-files.ts only. */
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { batchFiles } from './run-files.ts'

for (const file of (process.env[batchFiles] ?? '').split('\n')) suite(file, () => import(pathToFileURL(file).href))
