/** Version 1.0 shows integrations as version 2.0 does; when one of them must differ, it differs here. */
export {
  createdIntegrationSchema,
  createdIntegrationView,
  integrationSchema,
  integrationView,
  startedInstallationSchema,
  startedInstallationView,
} from '../../v2/views/integration.ts'
