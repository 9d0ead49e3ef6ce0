/** The part of React Router that apps use; the Shell owns the router, so remotes must take it from here. */
export { BrowserRouter, Link, Navigate, NavLink, Route, Routes, useLocation, useNavigate, useParams, useSearchParams, type NavigateOptions } from 'react-router';
