import { run } from './process/run.ts'

run(process.env)
