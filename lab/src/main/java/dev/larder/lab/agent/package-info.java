/** Processes of an experiment on other hosts: an agent there starts them, and hands on what they are asked. */
package dev.larder.lab.agent;
