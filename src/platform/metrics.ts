import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** One registry per service, handed to those who count: two services in one process do not mix their figures. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    httpRequestSeconds: new Histogram({
      name: 'lipik_http_request_seconds',
      help: 'Time to answer a request, by route pattern, never by path: a path holds ids',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers,
    }),
    uploadedBytes: new Counter({ name: 'lipik_uploaded_bytes_total', help: 'Bytes received in uploads', registers }),
    uploadRequests: new Counter({
      name: 'lipik_upload_requests_total',
      help: 'Upload requests, by whether they were accepted, refused or broken off',
      labelNames: ['outcome'] as const,
      registers,
    }),
    uploads: new Counter({
      name: 'lipik_background_uploads_total',
      help: 'Files that left the spool for storage, by how it ended',
      labelNames: ['outcome'] as const,
      registers,
    }),
    filesWaiting: new Gauge({
      name: 'lipik_files_waiting',
      help: 'Files in the spool of this server that are not yet in storage, by upload status',
      labelNames: ['upload_status'] as const,
      registers,
    }),
    pendingDeletions: new Gauge({
      name: 'lipik_pending_deletions',
      help: 'Objects that nothing refers to and that storage has still to delete',
      registers,
    }),
    jobs: new Counter({
      name: 'lipik_jobs_total',
      help: 'Jobs that ended an attempt, by kind and how it ended',
      labelNames: ['kind', 'outcome'] as const,
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'lipik_job_seconds',
      help: 'Time one attempt of a job took',
      labelNames: ['kind'] as const,
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800],
      registers,
    }),
    audioSeconds: new Counter({ name: 'lipik_audio_seconds_total', help: 'Audio recognised, in seconds', registers }),
    queuedJobs: new Gauge({
      name: 'lipik_queued_jobs',
      help: 'Jobs waiting, by queue',
      labelNames: ['queue'] as const,
      registers,
    }),
    realtimeSessions: new Gauge({ name: 'lipik_realtime_sessions', help: 'Realtime sessions open now', registers }),
    realtimeConnections: new Counter({
      name: 'lipik_realtime_connections_total',
      help: 'Attempts to open a realtime session, by how they ended',
      labelNames: ['outcome'] as const,
      registers,
    }),
    databaseRestarts: new Counter({
      name: 'lipik_database_restarts_total',
      help: 'Times the embedded PostgreSQL died and was started again',
      registers,
    }),
  }
}

/** Memory, event-loop delay and the like of this process. Apart from the above because it starts observers that only the service wants. */
export const observeProcess = (registry: Registry): void => collectDefaultMetrics({ register: registry })
