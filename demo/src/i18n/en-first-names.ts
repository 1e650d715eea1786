// First names from many countries: those that the page looks for a double in, for readers of English.
// Invariant: no name stands twice (a test looks). Which names are common is a fact; the choice and its order are this page's.

const NAMES = `
  Jonas Emma Noah Olivia Liam Sofia Lucas Mia Leo Anna Max Laura Paul Lena Felix Julia Tom Sarah Ben Lisa David Maria Daniel
  Nina Alex Elena Simon Clara Adam Eva Peter Marta Thomas Sara Martin Hannah Michael Alice James Emily John Charlotte Robert
  Amelia William Sophie George Lucy Oscar Ella Henry Grace Jack Chloe Harry Ruby Oliver Zoe Charlie Ava Ethan Isabella Mason
  Abigail Logan Madison Jacob Elizabeth Samuel Victoria Joseph Natalie Benjamin Rachel Nathan Rebecca Ryan Jessica Matthew
  Ashley Andrew Amanda Joshua Megan Christopher Lauren Anthony Kayla Mark Nicole Steven Stephanie Kevin Jennifer Brian
  Melissa Jason Michelle Eric Kimberly Richard Angela Charles Heather Kenneth Amy Edward Karen Ronald Susan Timothy Linda
  Donald Barbara Gary Nancy Frank Betty Scott Sandra Raymond Donna Gregory Carol Patrick Ruth Dennis Sharon Jerry Helen
  Tyler Deborah Aaron Dorothy Jose Shirley Douglas Cynthia Nathaniel Kathleen Zachary Joyce Kyle Diane Walter Janet Harold
  Catherine Carl Frances Arthur Christine Roger Samantha Keith Debra Jeremy Virginia Terry Carolyn Lawrence Jean Sean Judith
  Christian Teresa Albert Doris Austin Gloria Joe Evelyn Willie Cheryl Billy Martha Bruce Jacqueline Bryan Joan Ralph Judy
  Roy Theresa Eugene Beverly Louis Denise Philip Marilyn Bobby Amber Johnny Danielle Bradley Brittany Russell Diana Randy
  Jane Vincent Lori Alan Alexis Wayne Tiffany Juan Rose Dylan Sophia Elijah Hailey Gabriel Kaylee Caleb Aubrey Isaac Brooklyn
  Luke Layla Hunter Penelope Connor Nora Julian Hazel Landon Violet Adrian Aurora Colton Savannah Dominic Audrey Parker Bella
  Cooper Skylar Carson Claire Xavier Lily Jaxon Stella Ian Paisley Carter Everly Grayson Naomi Hudson Ellie Lincoln Willow
  Ezra Ivy Jordan Quinn Silas Piper Theo Freya Archie Poppy Alfie Daisy Freddie Florence Toby Phoebe Finley Matilda Rory Isla
  Callum Eilidh Hamish Fiona Angus Ailsa Ewan Kirsty Gareth Carys Rhys Bronwen Dylis Owain Declan Niamh Aoife Ciara Cillian
  Saoirse Padraig Sinead Eoin Roisin Seamus Maeve Cormac Orla Finn Deirdre Hugo Louise Jules Camille Antoine Manon Pierre
  Lea Nicolas Juliette Mathieu Margaux Guillaume Amelie Baptiste Elodie Clement Pauline Francois Aurelie Olivier Celine
  Laurent Nathalie Thierry Sylvie Philippe Isabelle Didier Veronique Christophe Valerie Sebastien Sandrine Julien Delphine
  Romain Emilie Maxime Mathilde Quentin Oceane Florian Solene Damien Noemie Etienne Gaelle Yann Maelle Loic Lucie Gaspard
  Heloise Bastien Apolline Thibault Clemence Remi Capucine Luca Giulia Matteo Chiara Lorenzo Francesca Alessandro Martina
  Andrea Giorgia Davide Alessia Riccardo Federica Francesco Elisa Giovanni Silvia Marco Paola Stefano Valentina Roberto
  Ilaria Antonio Serena Giuseppe Arianna Salvatore Beatrice Vincenzo Ludovica Pietro Ginevra Tommaso Noemi Edoardo Camilla
  Filippo Bianca Nicolo Caterina Enrico Lucrezia Fabio Carlotta Massimo Rosa Luigi Antonella Mario Daniela Paolo Cristina
  Bruno Simona Sergio Barbora Pablo Lucia Alejandro Paula Diego Carmen Javier Ana Carlos Marina Miguel Irene Angel Sonia
  Manuel Pilar Alvaro Rocio Adriana Hector Nuria Ruben Alba Ivan Raquel Jorge Beatriz Raul Patricia Rafael Monica Victor
  Susana Fernando Yolanda Alberto Ines Ramon Mercedes Enrique Dolores Andres Consuelo Ignacio Esperanza Gonzalo Macarena
  Rodrigo Ximena Santiago Valeria Mateo Renata Emiliano Regina Joaquin Constanza Tomas Catalina Benicio Agustina Bautista
  Joao Mariana Pedro Leonor Tiago Matilde Duarte Carolina Goncalo Rita Afonso Joana Guilherme Larissa Thiago Leticia Gustavo
  Fernanda Caio Bruna Vinicius Thais Joaquim Luana Otavio Isadora Murilo Yasmin Heitor Cecilia Lukas Johanna Jan Katharina
  Niklas Franziska Tim Annika Moritz Greta Jakob Frieda Anton Ida Emil Mathilda Karl Helene Friedrich Luise Konrad Charlotta
  Ludwig Wilhelmine Heinrich Gertrud Otto Hedwig Hans Ursula Klaus Monika Jurgen Petra Wolfgang Sabine Dieter Renate Uwe
  Birgit Horst Gisela Manfred Ingrid Helmut Brigitte Gunther Heike Rainer Silke Bernd Anja Holger Kerstin Thorsten Tanja
  Matthias Melanie Sebastian Nadine Tobias Stefanie Philipp Christina Dominik Jasmin Marcel Vanessa Fabian Kim Jannik Antonia
  Linus Merle Mats Jette Ole Wiebke Fiete Svea Malte Imke Hauke Femke Enno Tomke Daan Sanne Bram Fleur Sem Lotte Lars Anouk
  Thijs Roos Jesse Maud Tess Gijs Noortje Koen Fenna Joost Marieke Wouter Ilse Pieter Saskia Sander Esther Jeroen Karin
  Maarten Inge Dirk Els Erik Astrid Anders Ingeborg Lasse Signe Mikkel Freja Rasmus Maja Soren Mette Magnus Sigrid
  Henrik Solveig Bjorn Liv Olav Tuva Sven Linnea Gustav Elsa Axel Alva Viggo Ebba Nils Tove Hakan Gunilla Fredrik Malin
  Mattias Jenny Johan Emelie Elias Vilma Eino Aino Onni Helmi Vaino Lempi Mikko Sanna Jukka Paivi Matti Kaisa Timo Leena
  Antti Riikka Ville Outi Eetu Venla Sigurd Gudrun Einar Katrin Gunnar Birta Olafur Hrefna Piotr Agnieszka Krzysztof Malgorzata
  Andrzej Katarzyna Tomasz Joanna Pawel Magdalena Michal Aleksandra Marcin Zofia Jakub Hanna Kacper Zuzanna Filip Oliwia
  Wojciech Alicja Mateusz Wiktoria Lukasz Natalia Jiri Jana Petr Tereza Jaroslav Lenka Vaclav Eliska Ondrej Kristyna Vojtech
  Adela Marek Zdenka Juraj Zuzana Lubos Miroslava Bence Zsofia Mate Reka Levente Dorka Istvan Erzsebet Laszlo Ildiko Gabor
  Agnes Zoltan Eszter Andras Katalin Ferenc Judit Andrei Ioana Mihai Ileana Stefan Alexandra Radu Raluca Vlad Mihaela
  Bogdan Simina Dragos Anca Georgi Desislava Dimitar Ivanka Nikolai Rositsa Boris Milena Plamen Tsvetana Luka Petar Nikola
  Milica Marko Jovana Dusan Jelena Milan Tamara Goran Vesna Zoran Snezana Dejan Dragana Ante Ivana Josip Matea Mislav Dora
  Matej Spela Ziga Nika Rok Tjasa Giorgos Eleni Nikos Katerina Yannis Dimitra Kostas Vasiliki Panagiotis Georgia Christos
  Sotiria Thanasis Ioanna Stavros Despina Alexandros Ariadne Dmitri Olga Sergei Tatiana Alexei Svetlana Mikhail Irina
  Vladimir Ludmila Igor Galina Oleg Nadezhda Pavel Yulia Andriy Oksana Taras Iryna Mykola Halyna Bohdan Lesia Vasyl Zoya
  Kirill Daria Artyom Polina Yegor Ksenia Ruslan Alina Timur Aigul Mehmet Ayse Mustafa Fatma Ahmet Zeynep Ali Elif Emre
  Merve Can Defne Burak Esra Cem Selin Deniz Ebru Kerem Aylin Yusuf Hatice Ibrahim Emine Omar Fatima Mohammed Aisha Ahmed
  Khadija Hassan Zainab Khalid Mariam Youssef Salma Karim Nour Tariq Leila Samir Amina Bilal Hafsa Hamza Safiya Idris Rania
  Mahmoud Dina Nabil Huda Rashid Samira Faisal Layan Sami Yasmine Walid Ghada Reza Shirin Amir Parisa Hossein Maryam Mehdi
  Zahra Navid Niloufar Arash Roya Babak Laleh Avi Tamar Yael Moshe Shira Eitan Noa Itai Talia Uri Dalia Amos Rivka Gideon
  Miriam Arjun Priya Rohan Anjali Rahul Neha Vikram Kavita Aditya Pooja Sanjay Sunita Rajesh Meera Amit Deepa Suresh Lakshmi
  Anil Shreya Vivek Divya Karan Nisha Nikhil Riya Ishaan Aditi Dev Isha Manoj Rekha Ravi Sita Krishna Radha Gopal Padma Hari
  Uma Arun Leela Imran Ayesha Usman Sana Bilqis Farhan Nadia Zubair Hina Kamal Rubina Tanvir Sharmin Rafiq Nasreen Haruto
  Yui Sota Chihiro Yuto Aoi Ren Sakura Hiroshi Yuki Kenji Keiko Takashi Naoko Daisuke Ayumi Kazuo Haruka Satoshi Emi Makoto
  Rin Akira Mei Shota Kaori Riku Mai Minjun Seoyeon Jiho Jiwoo Hyun Soojin Donghyun Minseo Jaewon Hana Sunwoo Eunji Taeyang
  Yuna Minh Linh Duc Trang Anh Huong Tuan Lan Quang Ngoc Hung Thao Somchai Malee Niran Siriporn Anan Ploy Budi Siti Agus
  Dewi Eko Putri Rizky Wulan Joko Indah Jomar Althea Rodel Jasmine Efren Luzviminda Kwame Ama Kofi Abena Yaw Akua Chidi Ngozi
  Emeka Adaeze Tunde Folake Segun Yetunde Femi Bisi Musa Hauwa Sipho Thandi Themba Nomsa Jabu Zanele Lerato Thabo Naledi
  Tendai Rutendo Tatenda Chipo Juma Neema Baraka Rehema Otieno Akinyi Kamau Wanjiru Abebe Tigist Dawit Selam Yonas Hirut
  Mamadou Aminata Ousmane Fatou Cheikh Awa Ibou Ndeye Kahu Aroha Wiremu Mere Tama Kiri Makana Leilani Kai Malia Nuka Pipaluk
`
  .trim()
  .split(/\s+/);

/**
 * The names number `batch`: first the plain ones, then each with another as its second name. So there is no end to them, and
 * every name has a double.
 */
export function namesOf(batch: number): readonly string[] {
  if (batch === 0) return NAMES;
  return NAMES.map((name, i) => `${name} ${NAMES[(i + batch) % NAMES.length]}`);
}
