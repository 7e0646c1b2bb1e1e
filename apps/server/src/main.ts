import { run } from './run.ts'

run(process.env)
