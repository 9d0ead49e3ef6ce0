// Names one by one, and no `export *`: what builds remotes has to know them to take them from the Shell at run time.
export { AUTH_CHANNEL, type AppInfo, type AppNavigation, type RemoteProps, type ShellContext, type ShellUser, type TokenUpdate } from './contract.js';
export { TokenClient, ownExchange, shellExchange, type Exchange, type ServiceToken } from './tokens.js';
export { askAnew, createApi, createQueryClient, type Api, type TokenSource } from './api.js';
export { ApiError, describeError, errorOf } from './errors.js';
export { useServerForm, type ServerForm } from './forms.js';
export { KitProviders } from './providers.js';
export { notifyDone, notifyError } from './toasts.js';
export { confirm } from './confirm.js';
export { addTexts, changeLanguage, currentLanguage, startTranslations, useTranslation } from './i18n.js';
export { LANGUAGES, type Language, type Texts } from './languages.js';
export { formatBytes, formatDate, formatMoney, formatNumber, formatRelative, formatTime } from './format.js';
export { BrowserRouter, Link, Navigate, NavLink, Route, Routes, useLocation, useNavigate, useParams, useSearchParams, type NavigateOptions } from './router.js';
export { AppIcon } from './components/app-icon.js';
export { DataTable, RowMenu, type Column, type DataTableProps, type RowAction } from './components/data-table.js';
export { Page, PageHeader } from './components/page.js';
export { CopyIcon, EmptyState, ErrorState, Loaded, LoadingRows } from './components/states.js';
